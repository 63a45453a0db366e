// Opens a page in the browser of the person at the terminal.
import { environment } from '#/config.ts'
import type { Terminal } from '#/kernel/terminal.ts'

/**
 * Opens the address where a person sits at a terminal with a desktop; elsewhere they open it by hand. `BROWSER=none` turns it off, as for
 * other tools. No failure matters: the address was printed.
 */
export async function openInBrowser({ width }: Terminal, url: string): Promise<void> {
  const { BROWSER, CI, SSH_CONNECTION } = environment
  const isLinuxWithoutDesktop =
    process.platform === 'linux' &&
    environment['DISPLAY'] === undefined &&
    environment['WAYLAND_DISPLAY'] === undefined
  if (width === undefined || BROWSER === 'none' || CI !== undefined || SSH_CONNECTION !== undefined) return
  if (isLinuxWithoutDesktop) return
  // Loaded here, because few starts need it.
  const { default: open } = await import('open')
  await open(url).then(
    (child) => child.unref(),
    () => {},
  )
}
