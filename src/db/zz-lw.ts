import { connect } from './client.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { setTimeout as wait } from 'node:timers/promises'
const URL='postgres://postgres@127.0.0.1:55432/lw_exp'
await using proxy = await startTcpProxy(URL)
process.on('uncaughtException', (e)=>console.log('UNCAUGHT', e))
process.on('unhandledRejection', (e)=>console.log('UNHANDLED', e))
const sql = connect(proxy.url, { max: 8 })
let go = true, n=0, ok=0, bad=0
const client = async () => { while (go) {
  await sql.begin(async (tx) => { await tx`select ${1}::int`; n++; if (n%3==0) await new Promise(r=>setImmediate(r)); await Promise.all([tx`select ${2}::int`, tx`select ${3}::text`]); await tx`select 4`}).then(()=>ok++,()=>bad++)
  await sql`select ${'x'}::text`.catch(()=>bad++) } }
const cs=[1,2,3,4,5,6].map(client)
for (let i=0;i<60;i++) { await wait(i%4==0?1:15); proxy.cutAll() }
go=false; await Promise.all(cs); console.log({ok,bad})
await Promise.all(Array.from({length:40},()=>sql`select 1`)); console.log('fine')
await sql.end({timeout:1}); console.log('ended')
