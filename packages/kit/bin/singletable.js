#!/usr/bin/env node
import { runProcess } from '../dist/cli/run-process.js'

await runProcess(process.argv.slice(2))
