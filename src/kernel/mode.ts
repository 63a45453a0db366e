/** Whose money it is: real, or the sandbox's. No key, connection or account serves two modes. */
export const modes = ['LIVE', 'SANDBOX'] as const
export type Mode = (typeof modes)[number]
