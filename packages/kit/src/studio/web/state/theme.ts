import { effect, signal } from '@preact/signals'
import { readKept, writeKept } from './kept.ts'

/** `auto` follows the system. */
export type Theme = 'auto' | 'light' | 'dark'
const THEMES: readonly Theme[] = ['auto', 'light', 'dark']

export const theme = signal<Theme>(
  THEMES.find((each) => each === readKept('theme', 'auto')) ?? 'auto',
)

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
}

effect(() => {
  document.documentElement.style.colorScheme = theme.value === 'auto' ? '' : theme.value
  writeKept('theme', theme.value)
})
