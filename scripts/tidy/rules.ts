// All house rules, in the order in which they are reported.
import { addressReaders } from './addresses.ts'
import { bannedRules, leftovers, strayStatements } from './banned.ts'
import { boundaries } from './boundaries.ts'
import { chance, dueBefore, machineTime } from './chance.ts'
import { circles } from './circles.ts'
import { claims, dueTimes, limits } from './clocks.ts'
import { dictionaries } from './dictionaries.ts'
import { documented } from './documented.ts'
import { decisions, lengths, machinePaths, names, railFolders, roomReadmes, testNames } from './layout.ts'
import { links } from './links.ts'
import { methodNames } from './method-names.ts'
import { migrationLocks } from './migration-locks.ts'
import { migrations } from './migrations.ts'
import { peopleWords } from './people-words.ts'
import type { Rule } from './rule.ts'
import { sharedTableRules } from './shared-tables.ts'

export const rules: readonly Rule[] = [
  boundaries,
  circles,
  chance,
  machineTime,
  dueBefore,
  names,
  lengths,
  machinePaths,
  railFolders,
  roomReadmes,
  testNames,
  methodNames,
  dictionaries,
  peopleWords,
  ...bannedRules,
  strayStatements,
  leftovers,
  dueTimes,
  claims,
  limits,
  ...sharedTableRules,
  addressReaders,
  migrations,
  migrationLocks,
  decisions,
  links,
  ...documented,
]
