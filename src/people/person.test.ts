// Who counts as one person where two are needed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOnePerson, objectionTo, personFrom, personName } from './person.ts'

test('one mailbox is one person, however its address is written', () => {
  const spellings = [
    'ana@example.com',
    ' Ana@Example.COM ',
    'ana+ci@example.com',
    'Ana Lima <ana@example.com>',
    'ａna@example.com',
  ]
  assert.deepEqual([...new Set(spellings.map(personName))], ['ana@example.com'])
  assert.deepEqual(['Ana  Lima', 'ana lima '].map(personName), ['ana lima', 'ana lima'])
  const others = ['bia@example.com', 'ana@example.org', '+ci@example.com', 'ana']
  for (const other of others) assert.notEqual(personName(other), 'ana@example.com', other)
})

test('one mark in common makes two acts one person’s; a mark of one kind is none of another kind', () => {
  const ana = personFrom({ user: 'u1', name: 'ana@example.com' })
  assert.equal(isOnePerson(ana, personFrom({ user: 'u1', name: 'other@example.com' })), true)
  assert.equal(isOnePerson(ana, personFrom({ lineage: 'k1', name: 'ANA@example.com' })), true)
  assert.equal(isOnePerson(ana, personFrom({ lineage: 'u1', account: 'ana@example.com' })), false)
  assert.equal(isOnePerson(personFrom({ name: '' }), personFrom({ name: null })), false)
  const unknown = { user: null, lineage: null, account: '' }
  assert.equal(personFrom(unknown).size, 0)
})

test('who is not known decides nothing, and what they requested nobody decides', () => {
  const [ana, bia] = [personFrom({ user: 'u1' }), personFrom({ user: 'u2' })]
  const nobody = personFrom({})
  assert.equal(objectionTo(bia, [ana]), undefined)
  assert.equal(objectionTo(ana, [bia, ana]), 'own_request')
  assert.equal(objectionTo(ana, [undefined, ana]), 'own_request')
  for (const decider of [undefined, nobody]) assert.equal(objectionTo(decider, [ana]), 'unknown_person')
  for (const askers of [[], [undefined], [nobody], [ana, undefined], [ana, nobody]])
    assert.equal(objectionTo(bia, askers), 'unknown_person')
})
