// The person of a sandbox: who starts it is the owner of its merchant and its operator, and signs in by a link that is printed.
import type { MerchantId } from '#/kernel/id.ts'
import { sandboxOwner as email } from '#/kernel/sandbox-owner.ts'
import { createSignInLink } from '#/people/links.ts'
import { addMember, roleOf } from '#/people/members.ts'
import type { PeopleDeps } from '#/people/user.ts'
import { createUser, findUserByEmail } from '#/people/users.ts'

const by = { actor: { kind: 'SYSTEM', id: 'start' } } as const

/**
 * A link that signs in the person of the sandbox: once, within an hour, from this machine. Creates the person at the first start.
 * Earlier links no longer work.
 */
export async function openSandboxPerson(
  people: PeopleDeps,
  { merchantId, origin }: { readonly merchantId: MerchantId; readonly origin: string },
): Promise<{ readonly signInUrl: string }> {
  const found = await findUserByEmail(people, email)
  const user = found ?? (await createUser(people, by, { email, name: 'Sandbox', isOperator: true }))
  if ((await roleOf(people, merchantId, user.id)) === undefined)
    await addMember(people, by, { merchantId, userId: user.id, role: 'OWNER' })
  const { token } = await createSignInLink(people, by, user.id)
  return { signInUrl: `${origin}/sign-in#link=${token}` }
}
