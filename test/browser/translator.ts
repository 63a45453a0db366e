// A browser's translator, as those of browsers work: it puts an element with its own text in place of each text node, also of those that come
// later, and leaves alone what is marked. Its language is ours between two marks, so that a test can read it back.
import type { Page } from 'playwright-core'

/** Translates the page from its first load on. */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
    const isText = (node) =>
      node.data.trim() !== '' && node.parentElement?.closest('font,script,style,svg,option,[translate=no]') === null
    const translateBelow = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const found = root.nodeType === Node.TEXT_NODE ? [root] : []
      while (walker.nextNode()) found.push(walker.currentNode)
      for (const node of found.filter(isText)) {
        const outer = document.createElement('font')
        const inner = outer.appendChild(document.createElement('font'))
        inner.append('«' + node.data + '»')
        node.replaceWith(outer)
      }
    }
    translateBelow(document.body)
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) if (node.isConnected) translateBelow(node)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })`)
}
