// The amounts that the gate has in force where nobody has chosen, and that the form of a new merchant begins with.

/**
 * The amount of approval of an account for which nobody has chosen one, in minor units: more than a shop pays for its daily needs, less than
 * what would hurt it most to lose (decision 185).
 */
export const suggestedApprovalAbove = { PIX: 500_000n, CRYPTO: 100_000n, SEPA: 100_000n } as const
