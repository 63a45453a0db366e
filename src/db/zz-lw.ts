import { connect } from './client.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
const URL='postgres://postgres@127.0.0.1:55432/lw_exp'
await using proxy = await startTcpProxy(URL)
const sql = connect(proxy.url, { max: 4, connectTimeoutSeconds: 2 })
process.on('uncaughtException', (e)=>console.log('UNCAUGHT', e.message))
await sql`select 1`
const t=(name:string,p:Promise<unknown>)=>{const t0=performance.now();return Promise.race([p.then(()=>'ok',(e:Error&{code?:string})=>'rejected '+e.code+' '+e.message),new Promise(r=>setTimeout(r,6000,'HANG'))]).then(r=>console.log(name,r,(performance.now()-t0|0)+'ms', process.cpuUsage().user/1000|0))}
for (const how of ['by closing','with silence'] as const) {
  proxy.greet(how); proxy.cutAll()
  await new Promise(r=>setTimeout(r,50))
  await t(how+' plain', sql`select 1`)
  await t(how+' begin', sql.begin(tx=>tx`select 1`))
}
proxy.greet('well'); proxy.cutAll()
await t('again plain', sql`select 1`)
await t('again begin', sql.begin(tx=>tx`select 1`))
process.exit()
