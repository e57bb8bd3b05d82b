#!/usr/bin/env node
import { main } from '../dist/cli/main.js'

process.exitCode = await main(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
})
