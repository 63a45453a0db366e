// The dashboard's server as one contender, and a member of the place's merchant who is signed in.
import { randomBytes } from 'node:crypto'
import { createDashboardServer } from '#/dashboard/server.ts'
import { connectionKeys, openConnectionBook } from '#/merchants/connections.ts'
import { acceptLink } from '#/people/accept-link.ts'
import { createSignInLink } from '#/people/links.ts'
import { addMember } from '#/people/members.ts'
import { createUser } from '#/people/users.ts'
import { openTemplateStore } from '#/templates/store.ts'
import { testOperatorDeps } from '../dashboard/operator-deps.ts'
import { freePort } from '../ports.ts'
import { openHttpParts } from './http-parts.ts'
import type { Place } from './place.ts'
import { beChild } from './process.ts'

/** How the member calls. */
export type DashboardCaller = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

const by = { actor: { kind: 'SYSTEM', id: 'bench' } } as const

beChild(async ({ place }: { readonly place: Place }) => {
  const { deps, log, close } = await openHttpParts({ place, creator: 'lane' })
  const { sql } = deps
  const masterKey = randomBytes(32)
  const connections = await openConnectionBook({ sql, keys: connectionKeys(masterKey, undefined), log })
  const templates = await openTemplateStore({ sql, log })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const people = { sql, key: randomBytes(32), site: { name: 'Vintem', rpId: 'localhost', origin } }
  const server = createDashboardServer({
    http: deps,
    people,
    templates,
    operator: testOperatorDeps({ masterKey, connections }),
    view: { render: () => '', script: '', style: '', files: new Map() },
    origin,
    isSandboxHere: true,
    pages: () => ({ state: 'building' }),
  })
  await server.listen({ host: '127.0.0.1', port })
  const { id } = await createUser(people, by, { email: 'owner@example.com', name: 'Owner' })
  await addMember(people, by, { merchantId: place.merchantId, userId: id, role: 'OWNER' })
  const { token } = await createSignInLink(people, by, id)
  const from = { address: '127.0.0.1', userAgent: 'bench', isLoopback: true }
  const accepted = await acceptLink(people, { token, ...from })
  const cookie = 'token' in accepted ? `vintem_session_${port}=${accepted.token}` : ''
  const answer: DashboardCaller = {
    url: `http://127.0.0.1:${port}`,
    headers: { 'sec-fetch-site': 'same-origin', cookie },
  }
  return {
    answer,
    run: () => Promise.reject(new Error('the load comes from outside')),
    async close() {
      await server.close()
      connections.close()
      templates.close()
      await close()
    },
  }
})
