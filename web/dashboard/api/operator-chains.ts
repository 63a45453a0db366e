// The records of chains and of our wallets there, as src/dashboard/operator/ describes them. What does not apply is absent.

/** Why something stands still: the key of a sentence and its values. */
export type HaltReason = { readonly key: string; readonly values: Readonly<Record<string, string>> }

export type WatchedChain = {
  readonly key: string
  readonly chainId: string
  readonly mode: string
  readonly head?: string
  readonly final?: string
  readonly halted?: string
  readonly halt?: HaltReason
  readonly isWatched: boolean
  readonly nodeHead?: string
  readonly lag?: string
  readonly nodeError?: string
  readonly whatToDo?: 'compare_and_lift' | 'start_watcher' | 'check_node'
}

export type HotWallet = {
  readonly chain: string
  readonly address: string
  readonly purpose: string
  readonly nextNonce: string
  readonly queued: number
  readonly open: number
  readonly waiting?: string
  readonly stopped?: string
  readonly stop?: HaltReason
}

export type GasForecast = {
  readonly chain: string
  readonly error?: string
  readonly wallets: readonly {
    readonly address: string
    readonly purpose: string
    readonly wei: string
    readonly transactions: string
    readonly isLow: boolean
  }[]
}

export type HangingTransaction = {
  readonly id: string
  readonly chain: string
  readonly wallet: string
  readonly nonce: string
  readonly purpose: string
  readonly subject: string
  readonly state: string
  readonly cancel?: string
  readonly isTaken: boolean
  readonly createdAt: string
}

export type FailedSweep = {
  readonly address: string
  readonly fails: number
  readonly reason?: string
  readonly dueAt?: string
}

export type FoundCoins = {
  readonly id: string
  readonly chain: string
  readonly bookedAs: 'FOUND' | 'LEFT'
  readonly txHash: string
  readonly sender: string
  readonly recipient: string
  /** Base units with 18 decimals. */
  readonly units: string
  readonly at: string
  readonly proposal?: {
    readonly merchantId: string
    readonly note?: string
    readonly proposedBy: string
    readonly isOwn: boolean
  }
}

export type Refill = {
  readonly id: string
  readonly chain: string
  /** Base units with 18 decimals. */
  readonly units: string
  readonly isByHand: boolean
  readonly createdAt: string
  readonly endedAt?: string
}
