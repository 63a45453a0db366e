// Counts down, and reloads the page when the order has changed.

const section = /** @type {HTMLElement} */ (document.querySelector('[data-order]'))
const left = document.getElementById('left')
const { order, status } = section.dataset
const endsAt = performance.now() + Number(left?.dataset['left'] ?? 0)

function tick() {
  if (left === null) return
  const seconds = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
  left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

async function poll() {
  try {
    const response = await fetch(`/pay/${order}/status`)
    const found = /** @type {{ status: string }} */ (await response.json())
    if (response.ok && found.status !== status) location.reload()
  } catch {
    // The wallet does not answer; the next poll tries again.
  }
}

setInterval(tick, 250)
setInterval(() => void poll(), 2000)
document.addEventListener('visibilitychange', () => void poll())
