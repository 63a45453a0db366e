import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeText } from './words.ts'

const due = {
  notice: 'DISPUTE_DUE',
  merchantName: 'Café Serra Azul',
  mode: 'LIVE',
  dueAt: '2026-12-07T15:00:00.000Z',
  url: 'https://pay.example/disputes/1',
} as const

test('a deadline is written as its language writes it, in UTC', () => {
  assert.match(noticeText('pt-BR', due).text, /^Prazo da defesa: 7 de dezembro de 2026 às 15:00 UTC$/m)
  assert.match(noticeText('en', due).text, /^Evidence due: December 7, 2026 at 3:00\sPM UTC$/m)
  assert.match(noticeText('es', due).text, /^Plazo de las pruebas: 7 de diciembre de 2026.* 15:00 UTC$/m)
})
