// scratch: node zz-bc.ts <what> <ms> <rounds>
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { newId } from '#/kernel/id.ts'
import { connect } from '#/db/client.ts'
import { openPlace } from './place.ts'
import { startChild } from './process.ts'
import { makeTpcb } from './tpcb-tables.ts'
await using site = await openPlace(); const place = { ...site.place, ownerUrl: site.ownerUrl }; const p = site.place
const what = (process.argv[2] ?? 'hot').split(',')
const ms = Number(process.argv[3] ?? 3000)
const rounds = Number(process.argv[4] ?? 3)
const hot = [{ id: newId(), wallets: Array.from({ length: 1000 }, () => newId()) }]
const many = Array.from({ length: 100 }, () => ({ id: newId(), wallets: Array.from({ length: 10 }, () => newId()) }))
if (what.some((w) => w.startsWith('tpcb'))) await makeTpcb(place.ownerUrl)
const base = (w: string) => w.endsWith('@base') ? 'file:///tmp/bench-scratch/base/test/bench/' : './'
const ticks = () => { const m = new Map<string, number>()
  for (const pid of readdirSync('/proc')) { if (!/^\d+$/.test(pid)) continue
    try { const ppid = /PPid:\s(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]; const s = readFileSync(`/proc/${pid}/stat`, 'latin1'); const f = s.slice(s.lastIndexOf(')') + 2).split(' ')
      m.set(pid + '|' + ppid + '|' + readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 90), (Number(f[11]) + Number(f[12])) * 10) } catch {} }
  return m }
const children = []
for (const w of what) {
  const n = /x(\d)/.exec(w)?.[1] ?? '1'
  const clients = Number(/-(\d+)/.exec(w)?.[1] ?? 2000)
  const group = []
  for (let i = 0; i < Number(n); i++) {
    if (w.startsWith('tpcb')) group.push(await startChild(base(w) + 'tpcb.ts', { ownerUrl: place.ownerUrl, connections: clients }))
    else if (w.startsWith('charge')) group.push(await startChild(base(w) + 'charge-line.ts', { place: p, clients }))
    else group.push(await startChild(base(w) + 'ledger-lane.ts', { place: p, merchants: w.startsWith('hot') ? hot : many, isHot: w.startsWith('hot'), clients: w.includes('one') ? 100 : 1000 / Number(n), itemsMax: w.includes('one') ? 1 : 500, busy: w.includes('busy') ? 0.5 : 0 }))
  }
  children.push({ w, group })
}
const admin = connect(process.env['BENCH_ADMIN'] ?? place.ownerUrl, { max: 2 })
if (process.env['BENCH_STATS']) { await admin`create extension pg_stat_statements` ; }
for (let i = 0; i < rounds; i++) for (const { w, group } of children) {
  if (process.env['BENCH_STATS']) await admin`select pg_stat_statements_reset()`
  const before = ticks()
  const s = await Promise.all(group.map((c) => c.run(ms)))
  const after = ticks()
  if (process.env['BENCH_STATS'] && i === rounds - 1) {
    const rows = await admin`select calls, (total_exec_time/nullif(calls,0))::float8 as ms, (total_plan_time/nullif(calls,0))::float8 as plan, (rows::float8/calls)::float8 as rows, (wal_bytes/calls)::float8 as wal, regexp_replace(left(query, 110), '\\s+', ' ', 'g') as q, total_exec_time::float8 as tot from pg_stat_statements where calls > 0 order by total_exec_time + total_plan_time desc limit 26`
    const c = Math.round(s.reduce((a, b) => a + b.perSecond, 0) * ms / 1000)
    for (const r of rows) console.log(String(r.calls).padStart(6), r.ms.toFixed(2).padStart(7), r.plan.toFixed(2).padStart(5), r.rows.toFixed(0).padStart(5), (r.wal / Math.max(1, r.rows)).toFixed(0).padStart(6), ((r.tot * 1000) / c).toFixed(1).padStart(6) + 'us/op', r.q)
  }
  const count = Math.round(s.reduce((a, b) => a + b.perSecond, 0) * ms / 1000)
  const node = [...after].filter(([k]) => k.includes('|' + process.pid + '|')).reduce((a, [k, v]) => a + v - (before.get(k) ?? 0), 0)
  const pg = [...after].filter(([k]) => /postgres/.test(k) && !/nobody/.test(k)).reduce((a, [k, v]) => a + v - (before.get(k) ?? v), 0)
  console.log(w.padEnd(12), (count * 1000 / ms).toFixed(0).padStart(7) + '/s', 'p50', s[0].p50.toFixed(1), 'p99', s[0].p99.toFixed(1), 'node us/op', (1000 * node / count).toFixed(1), 'pg us/op', (1000 * pg / count).toFixed(1))
}
await admin.end()
for (const { group } of children) for (const c of group) await c.close()
