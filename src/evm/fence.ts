/** Another process holds the lease now: what this one began to write is not written. */
export class FencedOff extends Error {}
