// The shop's pages. `html` of Hono escapes every value that is put into it.
import type { Payment } from '@vintem/sdk'
import { html, raw } from 'hono/html'
import { goodOf, goods, priceText, totalOf, type Line } from './goods.ts'
import type { Order } from './orders.ts'

type Markup = ReturnType<typeof html>

const style = raw(`<style>
  body { font: 17px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fffdf9 }
  table { width: 100%; border-collapse: collapse } th, td { text-align: left; padding: .5rem 0; border-bottom: 1px solid #ddd }
  td.sum { text-align: right; font-variant-numeric: tabular-nums } form { display: inline }
  button { font: inherit; min-height: 44px; padding: 0 1rem; border: 1px solid #8a4b22; border-radius: 10px; background: #8a4b22; color: #fff }
  code { display: block; overflow-wrap: anywhere; padding: .75rem; background: #f3ede6 } a { color: #8a4b22 }
</style>`)

function page(title: string, content: Markup): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} – Coffee shop</title>
        ${style}
      </head>
      <body>
        <nav><a href="/">Coffee shop</a> · <a href="/cart">Cart</a> · <a href="/admin">Orders</a></nav>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`
}

const button = (action: string, label: string) =>
  html`<form method="post" action="${action}"><button>${label}</button></form>`

export function goodsPage(): Markup {
  const rows = goods.map(
    ({ sku, name, price }) =>
      html`<tr>
        <td>${name}</td>
        <td class="sum">${priceText(price)}</td>
        <td class="sum">${button(`/cart/${sku}`, `Add ${name.split(',')[0]}`)}</td>
      </tr>`,
  )
  return page('What we sell', html`<table>${rows}</table>`)
}

export function cartPage(lines: readonly Line[]): Markup {
  if (lines.length === 0)
    return page('Your cart', html`<p>It is empty. <a href="/">Choose something.</a></p>`)
  const rows = lines.map(
    (line) =>
      html`<tr>
        <td>${line.quantity} × ${goodOf(line)?.name}</td>
        <td class="sum">${priceText(totalOf([line]))}</td>
      </tr>`,
  )
  return page(
    'Your cart',
    html`<table>
        ${rows}
        <tr>
          <th>Total</th>
          <td class="sum">${priceText(totalOf(lines))}</td>
        </tr>
      </table>
      <p>${button('/pay/checkout', 'Choose how to pay')} ${button('/pay/pix', 'Pay by Pix here')}</p>`,
  )
}

const said: Readonly<Record<string, string>> = {
  PAID: 'Paid. Your coffee is on its way.',
  EXPIRED: 'The time to pay is over. Nothing was charged.',
  CANCELED: 'Canceled. Nothing was charged.',
  FAILED: 'The payment failed. Nothing was charged.',
}

/** Loads the page again when the order's status has changed. */
const follow = raw(`<script type="module">
  const { status } = document.querySelector('[data-status]').dataset
  const isNew = async () => (await (await fetch(location.pathname + '/status')).text()) !== status
  setInterval(async () => (await isNew().catch(() => false)) && location.reload(), 1500)
</script>`)

/** The order, and while it waits the code of Pix, if it is paid on this page. */
export function orderPage(order: Order, payment: Payment | undefined): Markup {
  const isOpen = !(order.status in said)
  const pix = isOpen ? payment?.pixCopyPaste : undefined
  const content = html`<p data-status="${order.status}">${said[order.status] ?? 'We are waiting for your payment.'}</p>
    <p>Total: ${priceText(order.total)}${order.refunded > 0 ? html`, of which ${priceText(order.refunded)} went back to you` : ''}</p>
    ${
      pix === undefined
        ? ''
        : html`<p><img src="${payment?.pixQrCode}" width="240" height="240" alt="Pix code to scan" /></p>
          <p>Or copy it:</p>
          <code>${pix}</code>`
    }`
  return page('Your order', html`${content}${isOpen ? follow : ''}`)
}

/** For the shop's people: put a sign-in before it. */
export function adminPage(orders: readonly Order[]): Markup {
  const rows = orders.map(
    (order) =>
      html`<tr>
        <td><a href="/orders/${order.id}">${order.id.slice(0, 8)}</a> ${order.status}${order.fulfilledAt === null ? '' : ', sent'}</td>
        <td class="sum">${priceText(order.total - order.refunded)}</td>
        <td class="sum">
          ${order.status === 'PAID' && order.refunded < order.total ? button(`/admin/${order.id}/refund`, 'Refund') : ''}
        </td>
      </tr>`,
  )
  return page('Orders', html`<table>${rows}</table>`)
}

export function problemPage(title: string, detail: string): Markup {
  return page(title, html`<p>${detail}</p><p><a href="/cart">Back to the cart</a></p>`)
}
