import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine; undefined where there is none, which is an error when
 * REQUIRE_BROWSER is 1. */
export const CHROMIUM: string | undefined = [process.env.CHROMIUM ?? '', ...PLACES].find(
  (place) => place !== '' && existsSync(place),
)

if (CHROMIUM === undefined) {
  if (process.env.REQUIRE_BROWSER === '1') {
    throw new Error('REQUIRE_BROWSER is 1, but Chromium was not found')
  }
  console.log('Chromium: skipped, not found; CHROMIUM can name the program')
}

export function launchChromium(): Promise<Browser> {
  // Containers have no user namespaces for its sandbox; the pages are our own.
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] })
}
