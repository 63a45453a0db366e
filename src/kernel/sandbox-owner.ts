/**
 * The e-mail address of the person whom a sandbox makes at its first start. No mail is ever sent there:
 * `.localhost` is of this machine (RFC 6761 §6.3).
 */
export const sandboxOwner = 'owner@sandbox.localhost'
