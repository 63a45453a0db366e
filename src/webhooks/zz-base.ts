import http from 'node:http'
import { fork } from 'node:child_process'
import { createSender } from './send.ts'
import { signatureHeaders } from './sign.ts'
const child = fork('/tmp/whshim/receiver.mjs', ['1'])
const [port] = await new Promise<number[]>((r) => child.once('message', (m) => r(m as number[])))
const agent = new http.Agent({ keepAlive: true })
const body = Buffer.alloc(700, 120)
function plain() { return new Promise<void>((resolve) => { const r = http.request({ method: 'POST', host: '127.0.0.1', port, path: '/hook', agent, headers: { 'content-type': 'application/json', 'content-length': body.length } }, (res) => { res.resume(); res.on('end', resolve) }); r.end(body) }) }
const sender = createSender({ policy: { allowHttp: true, allowLoopback: true } })
const secret = Buffer.alloc(24, 1)
const ours = () => sender.send({ url: `http://127.0.0.1:${port}/hook`, headers: signatureHeaders({ id: 'x' as any, attemptAt: new Date(), body, secrets: [secret] }), body })
async function run(name: string, f: () => Promise<unknown>, N = 20000, C = 64) {
  for (let k = 0; k < 2; k++) {
    let left = N; const c0 = process.cpuUsage(); const t0 = performance.now()
    await Promise.all(Array.from({ length: C }, async () => { while (left-- > 0) await f() }))
    const ms = performance.now() - t0; const c = process.cpuUsage(c0)
    console.log(name, (N / ms * 1000) | 0, '/s cpu', ((c.user + c.system) / 1000 / ms * 100) | 0, '%')
  }
}
await run('plain', plain); await run('send', ours)
sender.close(); agent.destroy(); child.kill()
