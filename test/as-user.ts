// Commands know a person by the user of the system that runs them.
import os from 'node:os'
import { mock } from 'node:test'

/** Runs the work as this user. */
export async function asUser<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const user = mock.method(os, 'userInfo', () => ({ username: name }))
  try {
    return await work()
  } finally {
    user.mock.restore()
  }
}
