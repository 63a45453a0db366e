// What the stories have in common: the shop, the sandbox, and what is done to a payment.
import type { SandboxFile } from '#/sandbox/provision.ts'
import { createClient, type Payment } from '../../../sdk/typescript/src/vintem.ts'
import { eventually } from '../../eventually.ts'
import type { LossyLine } from '../../lossy-line.ts'
import type { Json, Order, Shop } from './shop.ts'

export type Scene = {
  readonly shop: Shop
  readonly sandbox: SandboxFile
  /** Between the shop and the API. */
  readonly line: LossyLine
}

export const vintemOf = ({ sandbox }: Scene) =>
  createClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.apiUrl })

/** An order that is paid by Pix and known to be. */
export async function paidOrder(
  scene: Scene,
  quantity: number,
): Promise<{ readonly order: Order; readonly paymentId: string }> {
  const { order, paymentId } = await scene.shop.begin(quantity)
  await pay(scene, paymentId, { method: 'PIX' })
  return { order: await scene.shop.orderIn(order.id, 'processing'), paymentId }
}

/** Meanwhile the shop refuses every webhook. */
export async function withoutWebhooks({ shop }: Scene, work: () => Promise<void>): Promise<void> {
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

export async function pay(scene: Scene, id: string, means: Means): Promise<void> {
  await vintemOf(scene).sandbox.payPayment(id, { scenario: 'exact', ...means })
}

export async function payUntil(scene: Scene, id: string, status: string, means: Means): Promise<Payment> {
  await pay(scene, id, means)
  return stateOf(scene, id, status)
}

export function stateOf(scene: Scene, id: string, status: string): Promise<Payment> {
  return eventually(`payment ${id} is ${status}`, async () => {
    const payment = await vintemOf(scene).payments.get(id)
    return payment.status === status && payment
  })
}

export async function amountsOfRefunds(scene: Scene, paymentId: string): Promise<readonly number[]> {
  return (await Array.fromAsync(vintemOf(scene).refunds.list({ paymentId }))).map(({ amount }) => amount)
}

export async function paymentsOf(scene: Scene, orderId: number): Promise<readonly Payment[]> {
  const { data } = await vintemOf(scene).payments.list({ limit: 100 })
  return data.filter(({ metadata }) => metadata?.['wooOrderId'] === orderId)
}
