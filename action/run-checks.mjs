/**
 * Runs the commands that the inputs ask for. `run` takes the parameters of `singletable` and gives
 * its exit code and what it printed. All
 * commands run, whatever the others find; the code is 1 if one of them failed.
 */
export async function runChecks({ inputs, run }) {
  const steps = [
    ...(inputs.check === 'false' ? [] : [checkStep(words(inputs.check))]),
    ...(inputs.docs === 'false' ? [] : [docsStep(words(inputs.docs))]),
    ...(words(inputs.diff).length === 0 ? [] : [diffStep(words(inputs.diff))]),
  ]
  const results = []
  for (const { title, parameters, annotate } of steps) {
    const result = await run(parameters)
    results.push({ title, ...result, annotations: annotate(result) })
  }
  const printed = results.flatMap(({ annotations, complaints }) => [...annotations, complaints])
  return {
    code: results.some(({ code }) => code !== 0) ? 1 : 0,
    printed: printed.filter((text) => text.trim() !== '').join('\n'),
    summary: summaryOf(results),
  }
}

/** Options as they are written in one line; quotation marks keep spaces. */
function words(text = '') {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c)
}

/** `check` annotates lines of the schema itself. */
function checkStep(more) {
  return {
    title: 'check',
    parameters: ['check', '--format', 'github', ...more],
    annotate: ({ printed }) => printed.split('\n'),
  }
}

/** At the first line of the document that differs. */
function docsStep(more) {
  return {
    title: 'docs --check',
    parameters: ['docs', '--check', '--json', ...more],
    annotate: ({ code, printed }) => {
      const { files = [] } = code === 1 ? readJson(printed) : {}
      return files
        .filter(({ same }) => !same)
        .map(({ file, difference }) => {
          const [, line = '1'] = /line (\d+)/.exec(difference.join('\n')) ?? []
          return annotation('error', { file, line, title: 'docs --check' }, [
            `${file} is not what singletable docs writes. Run it, and commit the file.`,
            ...difference,
          ])
        })
    },
  }
}

function diffStep(more) {
  return {
    title: 'infra diff',
    parameters: ['infra', 'diff', ...more],
    annotate: ({ code, printed }) =>
      code === 0 ? [] : [annotation('error', { title: 'infra diff' }, [printed])],
  }
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** A command of GitHub's workflows. */
function annotation(kind, properties, lines) {
  const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const place = Object.entries(properties).map(
    ([name, value]) => `${name}=${data(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::${kind} ${place.join(',')}::${data(lines.join('\n').trim())}`
}

function summaryOf(results) {
  const count = (annotations, kind) =>
    annotations.filter((text) => text.startsWith(`::${kind}`)).length
  const rows = results.map(({ title, code, annotations }) => {
    const found = `${count(annotations, 'error')} errors, ${count(annotations, 'warning')} warnings`
    return `| \`singletable ${title}\` | ${code === 0 ? '✅ passed' : '❌ failed'} | ${found} |`
  })
  return [
    '## singletable',
    '',
    '| command | result | found |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
