/** A word or phrase that readers stumble over, and what to write in its place. */
export interface UnclearWord {
  readonly pattern: RegExp
  readonly instead: string
}

const word = (pattern: string, instead: string): UnclearWord => ({
  // A phrase may continue on the next line.
  pattern: new RegExp(`\\b(?:${pattern.replaceAll(' ', '\\s')})\\b`, 'gi'),
  instead,
})

/**
 * Names in camelCase are divided into words before they are compared, so `goOn` is found as "go
 * on". The patterns are cheap on purpose: a sentence can be unclear without any of them.
 */
export const unclearWords: readonly UnclearWord[] = [
  word(
    '(?<!\\bthere )(?:is|are|was|were|be) no(?! (?:longer|more|fewer|less|better|worse|different))',
    '"is not a", "has no" or "there is no"',
  ),
  word('told|tells?|telling', '"reported", "says", "shows" or "distinguishes"'),
  word('stands?(?! for)|standing|stood', '"is", "is in" or "is next to"'),
  word('beside', '"next to" or "in addition to"'),
  word('mend|mends|mended|mending', '"fix"'),
  word('anew', '"again"'),
  word('texts', '"strings", "messages" or "expressions"'),
  word('so many(?! that)', '"this many"'),
  word('made[- ]up', '"sample"'),
  word('looked(?! (?:up|at|for|like))', '"ran" or "checked"'),
  word('kept quiet|keeps? (?:\\w+ )?quiet', '"suppressed"'),
  word('begun', '"started"'),
  word('go(?:es|ing)? on|went on', '"continue" or "resume"'),
  word('hand(?:s|ed)? out', '"return" or "copy for the caller"'),
  word('complain(?:s|ed|ing)?', '"print an error" or "report"'),
  word('add standing', '"add automatic changes"'),
  word('nobody says', '"defaults to"'),
  word('proof|proofs|proven?|proved|proves', '"exercised" or "tested", unless it is a proof'),
  word('companions?', '"derived items"'),
  word('mates?', '"models that share a partition"'),
  word('strangers?', '"items of other models"'),
  word('decoys?', '"negative examples"'),
  word('worlds?', '"state"'),
  word('anchors?', '"reference items"'),
  word('slips?', '"typos" or "mistakes"'),
  word('blind|blindly', '"without reading first"'),
  word('touching|deciding', '"affects" or "determines"'),
  word('by chance', '"at random"'),
]
