// The script of the page around the card form. It stands in for https://js.stripe.com/endive/stripe.js: the same global,
// the same calls, but only the embedded checkout page.
;(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript)
  const { origin } = new URL(script.src)
  const titles = /** @type {Record<string, string>} */ ({
    pt: 'Pagamento com cartão',
    es: 'Pago con tarjeta',
  })
  let hasPage = false

  /**
   * @typedef {object} PageOptions
   * @property {string} [clientSecret]
   * @property {() => Promise<string>} [fetchClientSecret]
   * @property {() => void} [onComplete]
   */

  /** @param {string} publishableKey */
  function Stripe(publishableKey) {
    if (typeof publishableKey !== 'string' || !/^pk_(?:test|live)_/.test(publishableKey))
      throw new Error('Please call Stripe() with your publishable key. You used something else.')
    return {
      /** @param {PageOptions} options */
      createEmbeddedCheckoutPage: (options) => createPage(publishableKey, options),
    }
  }

  /** @type {(key: string, options: PageOptions) => Promise<{mount: (target: string | Element) => void, unmount: () => void, destroy: () => void}>} */
  async function createPage(key, { clientSecret, fetchClientSecret, onComplete } = {}) {
    if (hasPage) throw new Error('You cannot have multiple Embedded Checkout objects.')
    hasPage = true
    try {
      const secret = clientSecret ?? (await fetchClientSecret?.())
      const parts = /^(cs_(?:test|live)_\w+?)_secret_(\w+)$/.exec(secret ?? '')
      if (parts === null) throw new Error('Invalid client secret of a Checkout Session.')
      const query = new URLSearchParams({ key, secret: parts[2] ?? '', origin: location.origin })
      return pageOf(`${origin}/c/embed/${parts[1]}?${query}`, onComplete)
    } catch (error) {
      hasPage = false
      throw error
    }
  }

  /** @type {(url: string, onComplete: (() => void) | undefined) => {mount: (target: string | Element) => void, unmount: () => void, destroy: () => void}} */
  function pageOf(url, onComplete) {
    /** @type {HTMLIFrameElement | undefined} */
    let frame
    let isComplete = false
    /** @param {MessageEvent} event */
    const hear = (event) => {
      if (event.origin !== origin || frame === undefined || event.source !== frame.contentWindow) return
      const message = /** @type {Record<string, unknown>} */ (event.data ?? {})
      if (message['from'] !== 'acquirer') return
      if (message['type'] === 'height' && typeof message['height'] === 'number')
        frame.style.height = `${message['height']}px`
      if (message['type'] !== 'complete' || isComplete) return
      isComplete = true
      if (message['redirect'] === 'always') goTo(message['returnUrl'])
      else onComplete?.()
    }
    const unmount = () => {
      window.removeEventListener('message', hear)
      frame?.remove()
      frame = undefined
    }
    return {
      mount(target) {
        const place = typeof target === 'string' ? document.querySelector(target) : target
        if (place === null || place === undefined) throw new Error('There is no such element on this page.')
        if (frame !== undefined) throw new Error('The page is mounted already.')
        frame = document.createElement('iframe')
        frame.title = titles[document.documentElement.lang.slice(0, 2)] ?? 'Card payment'
        frame.style.border = '0'
        frame.style.display = 'block'
        frame.style.width = '100%'
        frame.style.height = '560px'
        frame.src = url
        window.addEventListener('message', hear)
        place.append(frame)
      },
      unmount,
      destroy() {
        unmount()
        hasPage = false
      },
    }
  }

  /** The whole page, not the frame that this script may itself be in. */
  function goTo(/** @type {unknown} */ url) {
    if (typeof url !== 'string') return
    const top = window.top ?? window
    top.location.href = url
  }

  Object.assign(window, { Stripe })
})()
