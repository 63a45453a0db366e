/** The kind of money: real, or the sandbox's. No key, connection or account has two modes. */
export const modes = ['LIVE', 'SANDBOX'] as const
export type Mode = (typeof modes)[number]
