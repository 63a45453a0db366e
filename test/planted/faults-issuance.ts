// Faults where things are handed out that nobody wrote down, and where a restore that lost them loses money too.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const log = 'src/issuance/log.test.ts'
const recordLost = 'src/issuance/record-lost.test.ts'

export const issuanceFaults: readonly Fault[] = [
  ...planted('banks', 'src/payments/create.ts', log, [
    {
      what: 'an address is committed before its line is on the disk',
      find: "if (item.first?.rail.opens.at === 'CREATION') await issue?.(item.first.attempt)",
      put: "if (item.first?.rail.opens.at === 'CREATION') issue?.(item.first.attempt).catch(() => {})",
    },
  ]),
  ...planted('banks', 'src/payments/open.ts', log, [
    {
      what: 'a bank is asked before the line is on the disk',
      find: '  await issue?.(attempt)\n',
      put: '  issue?.(attempt).catch(() => {})\n',
    },
  ]),
  ...planted('banks', 'src/issuance/log.ts', log, [
    {
      what: 'a line in a file that was removed is promised',
      find: "if (nlink === 0) throw new Error('somebody removed the file')",
      put: '',
    },
    {
      what: 'after a write that failed the same file goes on',
      find: '        current = undefined\n        await abandon(file)\n',
      put: '',
    },
  ]),
  ...planted('banks', 'src/issuance/read.ts', recordLost, [
    {
      what: 'a log of other books is read',
      find: 'if (found.cell === books.cell && found.first === books.first) return',
      put: 'if (found.cell === books.cell) return',
    },
  ]),
  ...planted('banks', 'src/issuance/close.ts', recordLost, [
    {
      what: 'money that had come by a lost charge is not booked when the charge is ended',
      find: 'if (receipts.length > 0) await settle(receipts)',
      put: '',
    },
  ]),
  ...planted('watcher', 'src/settlement/queries.ts', recordLost, [
    {
      what: 'a deposit to a lost address counts twice',
      find: 'attempt?.paymentId === undefined || attempt.isLost === true || txHash === undefined',
      put: 'attempt?.paymentId === undefined || txHash === undefined',
    },
  ]),
  ...planted('watcher', 'src/settlement/settle.ts', recordLost, [
    {
      what: 'fractions of a cent at a lost address are dropped',
      find: "receipt.outcome === 'paid' ? units",
      put: "receipt.outcome === 'seen' ? units",
    },
  ]),
]
