import { openPlace } from './place.ts'
import { startChild } from './process.ts'
import { loadPayments } from './http-load.ts'
await using place = await openPlace()
const kinds = (process.argv[2] ?? 'memory,lane').split(',')
const ms = Number(process.argv[3] ?? 3000)
const children = []
for (const creator of kinds) { const c = await startChild('./http-server.ts', { place: {url: place.url, pepper: place.pepper, auditKey: place.auditKey}, creator }); children.push({creator, c}) }
for (let i = 0; i < Number(process.argv[4] ?? 3); i++) for (const { creator, c } of children) {
  console.log(creator, JSON.stringify(await loadPayments(c.opened as string, place.apiKey, ms)))
}
for (const { c } of children) await c.close()
