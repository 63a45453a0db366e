// scratch: node zz-bc.ts <what> <ms> <rounds>
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { newId } from '#/kernel/id.ts'
import { connect } from '#/db/client.ts'
import { openPlace } from './place.ts'
import { startChild } from './process.ts'
import { makeTpcb } from './tpcb.ts'
import { rateOf, figureOf } from './stats.ts'
await using place = await openPlace()
const p = { url: place.url, merchantId: place.merchantId, pepper: place.pepper, auditKey: place.auditKey }
const what = (process.argv[2] ?? 'hot').split(',')
const ms = Number(process.argv[3] ?? 3000)
const rounds = Number(process.argv[4] ?? 3)
const hot = [{ id: newId(), wallets: Array.from({ length: 1000 }, () => newId()) }]
const many = Array.from({ length: 100 }, () => ({ id: newId(), wallets: Array.from({ length: 10 }, () => newId()) }))
if (what.some((w) => w.startsWith('tpcb'))) await makeTpcb(place.ownerUrl)
const ticks = () => { const m = new Map<string, number>()
  for (const pid of readdirSync('/proc')) { if (!/^\d+$/.test(pid)) continue
    try { const ppid = /PPid:\s(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]; const s = readFileSync(`/proc/${pid}/stat`, 'latin1'); const f = s.slice(s.lastIndexOf(')') + 2).split(' ')
      m.set(pid + '|' + ppid + '|' + readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 90), (Number(f[11]) + Number(f[12])) * 10) } catch {} }
  return m }
const children = []
for (const w of what) {
  const n = /x(\d)/.exec(w)?.[1] ?? '1'
  const group = []
  for (let i = 0; i < Number(n); i++) {
    if (w.startsWith('tpcb')) group.push(await startChild('./tpcb.ts', { ownerUrl: place.ownerUrl, connections: Number(w.split('-')[1]) }))
    else if (w.startsWith('charge')) group.push(await startChild('./charges.ts', { place: p, clients: Number(w.split('-')[1] ?? 2000) }))
    else group.push(await startChild('./ledger-lane.ts', { place: p, merchants: w.startsWith('hot') ? hot : many, isHot: w.startsWith('hot'), clients: w.includes('one') ? 100 : 1000 / Number(n), itemsMax: w.includes('one') ? 1 : 500, busy: w.includes('busy') ? 0.5 : 0 }))
  }
  children.push({ w, group })
}
for (let i = 0; i < rounds; i++) for (const { w, group } of children) {
  const before = ticks()
  const s = await Promise.all(group.map((c) => c.run(ms)))
  const after = ticks()
  const count = s.reduce((a, b) => a + b.count, 0)
  const node = [...after].filter(([k]) => k.includes('|' + process.pid + '|')).reduce((a, [k, v]) => a + v - (before.get(k) ?? 0), 0)
  const pg = [...after].filter(([k]) => /postgres/.test(k) && !/nobody/.test(k)).reduce((a, [k, v]) => a + v - (before.get(k) ?? v), 0)
  console.log(w.padEnd(12), (count * 1000 / ms).toFixed(0).padStart(7) + '/s', 'p50', s[0].latencies[s[0].latencies.length >> 1]?.toFixed(1), 'p99', s[0].latencies[Math.floor(s[0].latencies.length * .99)]?.toFixed(1), 'node us/op', (1000 * node / count).toFixed(1), 'pg us/op', (1000 * pg / count).toFixed(1))
}
for (const { group } of children) for (const c of group) await c.close()
