// Mounts the provider's own form, and posts its height and its end to the page around it. The page around it trusts neither: it
// queries its own server.

/** @typedef {{ scriptUrl: string, publishableKey: string, clientSecret: string, locale: string }} Data */
/** @typedef {{ mount(place: Element): void }} Form */
/** @typedef {{ clientSecret: string, onComplete: () => void }} Options */
/** @typedef {(options: Options) => Promise<Form>} Create */
/** @typedef {{ createEmbeddedCheckoutPage?: Create, initEmbeddedCheckout: Create }} Provider */

const frame = byId('frame')
const data = /** @type {Data} */ (JSON.parse(byId('frame-data').textContent ?? ''))

new ResizeObserver(postHeight).observe(frame)

const script = document.createElement('script')
script.src = data.scriptUrl
script.addEventListener('load', () => void mount())
script.addEventListener('error', fail)
document.head.append(script)

async function mount() {
  try {
    const provider = openProvider()
    const options = {
      clientSecret: data.clientSecret,
      onComplete: () => post({ type: 'vintem:done' }),
    }
    // Releases before "endive" have the older name.
    const form = await (provider.createEmbeddedCheckoutPage?.(options) ??
      provider.initEmbeddedCheckout(options))
    form.mount(byId('provider'))
  } catch {
    fail()
  }
}

/** The object that the provider's script defined. */
function openProvider() {
  const { Stripe: create } = /** @type {{ Stripe: (key: string, options: object) => Provider }} */ (
    /** @type {unknown} */ (window)
  )
  return create(data.publishableKey, { locale: data.locale })
}

function fail() {
  byId('broken').hidden = false
  postHeight()
}

function postHeight() {
  post({ type: 'vintem:height', height: Math.ceil(frame.getBoundingClientRect().height) })
}

/** @type {(message: object) => void} */
function post(message) {
  if (window.parent !== window) window.parent.postMessage(message, location.origin)
}

/** @type {(id: string) => HTMLElement} */
function byId(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`there is no ${id}`)
  return element
}
