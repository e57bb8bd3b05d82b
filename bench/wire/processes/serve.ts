import { main } from '../../../packages/kit/src/cli/main.ts'

/** The command as it is installed, but for the bundling. */
process.exitCode = await main(process.argv.slice(2), {
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
})
