// Runs in the card page. Reports the frame's height and its end to the page around it, and to no other: messages go to the
// origin that the server allowed. Keeps a form from being sent twice.

const { origin, state, redirect, returnUrl } = document.body.dataset

if (window.parent !== window && origin !== undefined) {
  /** @type {(message: Record<string, unknown>) => void} */
  const report = (message) => window.parent.postMessage({ from: 'acquirer', ...message }, origin)
  const root = document.documentElement
  const reportHeight = () =>
    report({ type: 'height', height: Math.ceil(root.getBoundingClientRect().height) })
  new ResizeObserver(reportHeight).observe(root)
  reportHeight()
  if (state === 'done') report({ type: 'complete', redirect, returnUrl })
}

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  /** @type {HTMLButtonElement | null} */
  const button = form.querySelector('button[data-busy]')
  if (button === null) return
  if (button.getAttribute('aria-disabled') === 'true') {
    event.preventDefault()
    return
  }
  button.setAttribute('aria-disabled', 'true')
  button.dataset['words'] = button.textContent ?? ''
  button.textContent = button.dataset['busy'] ?? ''
})

// The back button brings the page as it was left.
window.addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  for (const button of document.querySelectorAll('button[aria-disabled]')) {
    button.removeAttribute('aria-disabled')
    button.textContent = /** @type {HTMLElement} */ (button).dataset['words'] ?? ''
  }
})
