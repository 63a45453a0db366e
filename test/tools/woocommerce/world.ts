// What the stories have in common: the shop, the sandbox, and what is done to a payment.
import type { SandboxFile } from '#/sandbox/provision.ts'
import { createClient, type Payment } from '../../../sdk/typescript/src/vintem.ts'
import { eventually } from '../../eventually.ts'
import type { LossyLine } from '../../lossy-line.ts'
import type { Json, Order, Shop } from './shop.ts'

export type ShopWorld = {
  readonly shop: Shop
  readonly sandbox: SandboxFile
  /** Between the shop and the API. */
  readonly line: LossyLine
}

export const vintemOf = ({ sandbox }: ShopWorld) =>
  createClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.apiUrl })

/** An order that is paid by Pix and known to be. */
export async function paidOrder(
  world: ShopWorld,
  quantity: number,
): Promise<{ readonly order: Order; readonly paymentId: string }> {
  const { order, paymentId } = await world.shop.begin(quantity)
  await pay(world, paymentId, { method: 'PIX' })
  return { order: await world.shop.orderIn(order.id, 'processing'), paymentId }
}

/** Meanwhile the shop refuses every webhook. */
export async function withoutWebhooks({ shop }: ShopWorld, work: () => Promise<void>): Promise<void> {
  const name = 'vintem_woocommerce_secrets'
  const { value } = await shop.act<{ value: Json }>('get', { name })
  const other = `whsec_${Buffer.from('another secret of another shop').toString('base64')}`
  await shop.act('set', { name, value: { ...value, webhook_secret: other } })
  try {
    await work()
  } finally {
    await shop.act('set', { name, value })
  }
}

type Means = Partial<Parameters<ReturnType<typeof vintemOf>['sandbox']['payPayment']>[1]>

export async function pay(world: ShopWorld, id: string, means: Means): Promise<void> {
  await vintemOf(world).sandbox.payPayment(id, { scenario: 'exact', ...means })
}

export async function payUntil(world: ShopWorld, id: string, status: string, means: Means): Promise<Payment> {
  await pay(world, id, means)
  return stateOf(world, id, status)
}

export function stateOf(world: ShopWorld, id: string, status: string): Promise<Payment> {
  return eventually(`payment ${id} is ${status}`, async () => {
    const payment = await vintemOf(world).payments.get(id)
    return payment.status === status && payment
  })
}

export async function amountsOfRefunds(world: ShopWorld, paymentId: string): Promise<readonly number[]> {
  return (await Array.fromAsync(vintemOf(world).refunds.list({ paymentId }))).map(({ amount }) => amount)
}

export async function paymentsOf(world: ShopWorld, orderId: number): Promise<readonly Payment[]> {
  const { data } = await vintemOf(world).payments.list({ limit: 100 })
  return data.filter(({ metadata }) => metadata?.['wooOrderId'] === orderId)
}
