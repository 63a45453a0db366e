// Bank files of the operator's console: their records, and how a file is handed in: by parts, so that no request is large.
import type { Minor } from '../kit/format.ts'
import { call } from './client.ts'

export type BankFile = {
  readonly connection: string
  readonly sha256: string
  readonly name: string
  readonly message: string
  readonly state: 'IMPORTED' | 'REFUSED'
  readonly reason?: string
  /** What it does not say clearly: a person asks the bank. */
  readonly raised?: string
  /** Two people may accept it as the corrected statement. */
  readonly isCorrection: boolean
  readonly entries: number
  readonly handedInBy: string
  readonly createdAt: string
}

/** A transfer whose reference is almost one of ours. */
export type Typo = {
  readonly connection: string
  readonly entry: string
  readonly amount: Minor
  readonly currency: string
  readonly bookedOn: string
  readonly wrote: string
  readonly near: string
  readonly payer: string
  readonly merchantId: string
  readonly paymentId: string
  readonly createdAt: string
}

/** A movement that has the name of another one. */
export type HeldMovement = {
  readonly connection: string
  readonly entry: string
  readonly amount: Minor
  readonly currency: string
  readonly bookedOn: string
  readonly wrote: string
  readonly party: string
  readonly like?: {
    readonly entry: string
    readonly amount: Minor
    readonly bookedOn: string
    readonly wrote: string
  }
  readonly createdAt: string
}

/** Money on a bank account in a currency that the books do not have. */
export type ForeignMoney = {
  readonly id: string
  readonly connection: string
  readonly entry: string
  /** A decimal. */
  readonly amount: string
  readonly currency: string
  readonly bookedOn: string
  readonly wrote: string
  readonly party: string
  readonly createdAt: string
}

export type PaymentFile = {
  readonly id: string
  readonly connection: string
  readonly payouts: number
  readonly amount: Minor
  readonly madeBy: string
  readonly createdAt: string
  readonly takenBy?: string
  readonly takenAt?: string
}

export type WaitingPayouts = {
  readonly connection: string
  readonly payouts: number
  readonly isMore: boolean
  readonly amount: Minor
}

/** What the server accepts: a larger file is split by the bank. */
export const fileBytesMax = 16 * 1024 * 1024
/** Files of one import. */
export const filesMax = 50

/** Hands in a file. `onBytes` hears how many more of its bytes have arrived. Returns its id, by which a job takes it. */
export async function handIn(file: File, onBytes: (more: number) => void): Promise<string> {
  const body = { name: file.name.slice(-200), size: file.size }
  const { id, partBytes } = await call<{ readonly id: string; readonly partBytes: number }>(
    'POST',
    '/operator/uploads',
    { body },
  )
  for (let number = 0; number * partBytes < file.size; number += 1) {
    const bytes = file.slice(number * partBytes, (number + 1) * partBytes)
    await call('POST', `/operator/uploads/${id}/parts`, { query: { number }, bytes })
    onBytes(bytes.size)
  }
  return id
}
