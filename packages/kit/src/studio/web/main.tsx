import { render } from 'preact'
import { App } from './app.tsx'
import './style.css'

const root = document.getElementById('app')
// What the file shows until this runs.
root?.replaceChildren()
if (root) render(<App />, root)
