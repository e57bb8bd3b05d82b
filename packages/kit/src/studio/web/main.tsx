import { render } from 'preact'
import { App } from './app.tsx'
import { failureIn } from './state/api.ts'
import { start } from './state/start.ts'
import './style.css'

const root = document.getElementById('app')
// Until the first answer comes, the file shows the page without contents.
const failed = await start().catch(failureIn)
root?.replaceChildren()
if (root) render(<App failed={failed ?? undefined} />, root)
