/** Thrown when another process holds the lease now. The write of this process is rolled back. */
export class FencedOff extends Error {}
