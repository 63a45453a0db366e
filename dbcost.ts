import { readFileSync } from 'node:fs'
import { startTestCluster, testDatabase } from '/work/h/me/x/test/postgres.ts'
import { connect } from '/work/h/me/x/src/db/client.ts'
const cluster = await startTestCluster()
process.env['VINTEM_TEST_DATABASE'] = cluster.url
import { execSync } from 'node:child_process'
const port = new URL(cluster.url).port
const pid = execSync(`pgrep -f "postgres.*-p ${port}|postgres.*${port}" | head -1`).toString().trim() || execSync(`pgrep -n postgres`).toString().trim()
const pids = execSync(`ps -eo pid,ppid,args | grep postgres | grep -v grep | head -20`).toString()
console.log(pids)
const pm = readFileSync(execSync('ls -td /dev/shm/dbc/vintem-test-*/postgres/cluster/postmaster.pid | head -1').toString().trim(),'utf8').split('\n')[0]
const cut = () => { let t = 0
  for (const line of execSync(`ps -o pid= --ppid ${pm}; echo ${pm}`).toString().split('\n')) { const p = line.trim().split(/\s+/)[0]; if (!p) continue
    try { const f = readFileSync(`/proc/${p}/stat`, 'utf8').split(') ')[1].split(' '); t += (+f[11] + +f[12]) + (+f[13] + +f[14]) } catch {} }
  return t * 10 }
const first = await testDatabase(); await first[Symbol.asyncDispose]()
let a = cut(), c = process.cpuUsage()
const N = 20
for (let i = 0; i < N; i++) { const d = await testDatabase(); await d[Symbol.asyncDispose]() }
let b = cut(); console.log('create+drop ms cpu each', (b - a) / N, 'node', (process.cpuUsage(c).user + process.cpuUsage(c).system) / 1000 / N)
a = cut(); c = process.cpuUsage()
for (let i = 0; i < N; i++) { const d = await testDatabase(); const sql = connect(d.appUrl, { max: 1 } as never); await sql`select count(*) from payment`; await sql.end(); await d[Symbol.asyncDispose]() }
b = cut(); console.log('with one connection', (b - a) / N, 'node', (process.cpuUsage(c).user + process.cpuUsage(c).system) / 1000 / N)
await cluster.stop()
