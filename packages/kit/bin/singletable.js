#!/usr/bin/env node
import { main } from '../dist/cli/main.js'
import { processOutput } from '../dist/cli/process-output.js'

process.exitCode = await main(process.argv.slice(2), processOutput())
