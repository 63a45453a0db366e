// The shop's routes. Read from top to bottom: cart, two ways to pay, the order, the webhook, refunds.
import { VintemProblem, VintemSignatureError, verifyWebhook, type Vintem } from '@vintem/sdk'
import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { csrf } from 'hono/csrf'
import { goodOf } from './goods.ts'
import type { Order, Orders } from './orders.ts'
import { adminPage, cartPage, goodsPage, orderPage, problemPage } from './pages.ts'

export type Shop = {
  readonly vintem: Vintem
  readonly orders: Orders
  /** `whsec_…`. */
  readonly webhookSecret: string
  /** Where payers and webhooks reach this shop, such as `http://127.0.0.1:3000`. */
  readonly url: string
}

/** The web application; `serve` in shop.ts listens. */
export function createApp(shop: Shop): Hono {
  const { vintem, orders } = shop
  const app = new Hono()

  app.get('/', (c) => c.html(goodsPage()))
  app.get('/cart', (c) => c.html(cartPage(orders.linesOf(cartOf(c)))))

  // Webhooks come from a server: they carry a signature, not the Origin of a page.
  app.post('/webhooks', async (c) => {
    const event = await verifyWebhook(await c.req.arrayBuffer(), c.req.raw.headers, shop.webhookSecret)
    orders.apply(event)
    return c.body(null, 204)
  })

  app.use(csrf())

  app.post('/cart/:sku', (c) => {
    const good = goodOf({ sku: c.req.param('sku') })
    if (good === undefined) return c.notFound()
    orders.putInCart(cartOf(c), good.sku, 1)
    return c.redirect('/cart', 303)
  })

  // Way 1: Vintem's page. The payer chooses a method there, and comes back to the order's page. Coming back proves nothing.
  app.post('/pay/checkout', async (c) => {
    const order = orders.place(cartOf(c))
    if (order === undefined) return c.redirect('/cart', 303)
    const { checkoutUrl } = await createPayment(shop, order, { checkout: 'default' })
    return c.redirect(checkoutUrl ?? `/orders/${order.id}`, 303)
  })

  // Way 2: our own page, which shows the code of Pix.
  app.post('/pay/pix', async (c) => {
    const order = orders.place(cartOf(c))
    if (order === undefined) return c.redirect('/cart', 303)
    await createPayment(shop, order, { paymentMethods: ['PIX'] })
    return c.redirect(`/orders/${order.id}`, 303)
  })

  app.get('/orders/:id', async (c) => {
    const order = orders.find(c.req.param('id'))
    if (order === undefined) return c.notFound()
    const isOpen = order.paymentId !== null && order.status === 'NEW'
    const payment = isOpen ? await vintem.payments.get(order.paymentId) : undefined
    return c.html(orderPage(order, payment))
  })

  app.get('/orders/:id/status', (c) => c.text(orders.find(c.req.param('id'))?.status ?? ''))

  app.get('/admin', (c) => c.html(adminPage(orders.newest())))

  app.post('/admin/:id/refund', async (c) => {
    const order = orders.find(c.req.param('id'))
    if (order === undefined || order.paymentId === null) return c.notFound()
    // The key comes from the order and what was refunded before: a second click asks for the same refund, not for another one.
    const idempotencyKey = `refund-${order.id}-${order.refunded}`
    await vintem.refunds.create(order.paymentId, { amount: order.total - order.refunded, idempotencyKey })
    return c.redirect('/admin', 303)
  })

  app.onError((error, c) => {
    if (error instanceof VintemSignatureError) return c.text(error.message, 400)
    if (error instanceof VintemProblem) return c.html(problemPage('That did not work', error.message), 502)
    console.error(error)
    return c.html(
      problemPage('That did not work', 'Please try again in a minute. You were not charged.'),
      500,
    )
  })
  return app
}

/** The order's id is the key: the same order never has two payments, even if this is repeated after a crash. */
async function createPayment(
  { vintem, orders, url }: Shop,
  order: Order,
  how: { readonly checkout: string } | { readonly paymentMethods: ['PIX'] },
) {
  const payment = await vintem.payments.create({
    ...how,
    amount: order.total,
    currency: 'BRL',
    idempotencyKey: order.id,
    metadata: { orderId: order.id },
    webhookUrl: `${url}/webhooks`,
    returnUrl: `${url}/orders/${order.id}`,
  })
  orders.setPayment(order.id, payment.id)
  return payment
}

function cartOf(c: Context): string {
  const known = getCookie(c, 'cart')
  if (known !== undefined) return known
  const cart = crypto.randomUUID()
  setCookie(c, 'cart', cart, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 30 * 24 * 3600 })
  return cart
}
