import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Users of the dashboard, and the audit log of the installation. */
export const operatorPeopleWords = dictionary({
  title: ['Usuários', 'Users', 'Usuarios'],
  user: ['Usuário', 'User', 'Usuario'],
  search: ['E-mail completo', 'Whole email address', 'Correo completo'],
  none: ['Nenhum usuário encontrado', 'No user found', 'No se encontró ningún usuario'],
  noneLead: [
    'Digite o e-mail inteiro, ou limpe a busca.',
    'Enter the whole email address, or clear the search.',
    'Escriba el correo entero, o quite la búsqueda.',
  ],
  isOperator: commonWords.operator,
  isDisabled: ['Bloqueado', 'Disabled', 'Bloqueado'],
  isActive: commonWords.activeMasculine,
  access: ['Acesso', 'Access', 'Acceso'],
  accessLead: [
    'Os operadores são definidos por comando: ./vintem user.',
    'Operators are set by a command: ./vintem user.',
    'Los operadores se definen por comando: ./vintem user.',
  ],
  factors: commonWords.secondFactor,
  passkeys: (count: string) =>
    counted(
      count,
      [`${count} chave de acesso`, `${count} passkey`, `${count} llave de acceso`],
      [`${count} chaves de acesso`, `${count} passkeys`, `${count} llaves de acceso`],
    ),
  totp: ['Aplicativo autenticador', 'Authenticator app', 'Aplicación de autenticación'],
  noFactors: ['Nenhum', 'None', 'Ninguno'],
  memberships: ['Lojistas', 'Merchants', 'Comercios'],
  membershipsNone: [
    'Não faz parte de nenhum lojista.',
    'Not a member of any merchant.',
    'No forma parte de ningún comercio.',
  ],
  disable: ['Bloquear', 'Disable', 'Bloquear'],
  disableLead: (who: string) => [
    `${who} não pode mais entrar. As sessões e os links terminam.`,
    `${who} can no longer sign in. Sessions and links end.`,
    `${who} ya no puede entrar. Sus sesiones y enlaces terminan.`,
  ],
  disableDone: ['O usuário foi bloqueado', 'The user was disabled', 'Se bloqueó el usuario'],
  enable: ['Desbloquear', 'Enable', 'Desbloquear'],
  enableLead: (who: string) => [
    `${who} pode entrar de novo.`,
    `${who} can sign in again.`,
    `${who} puede entrar de nuevo.`,
  ],
  enableDone: ['O usuário pode entrar', 'The user can sign in', 'El usuario puede entrar'],
  'remove-factors': ['Remover segundos fatores', 'Remove second factors', 'Quitar segundos factores'],
  'remove-factorsLead': (who: string) => [
    `Para quem os perdeu. As sessões de ${who} terminam. Confirme antes que é a própria pessoa.`,
    `For somebody who lost them. The sessions of ${who} end. First make sure that it is really them.`,
    `Para quien los perdió. Las sesiones de ${who} terminan. Confirme antes que es la persona.`,
  ],
  'remove-factorsDone': [
    'Os segundos fatores foram removidos',
    'The second factors were removed',
    'Se quitaron los segundos factores',
  ],
  reset: ['Link para nova senha', 'Link for a new password', 'Enlace para una contraseña nueva'],
  resetLead: (who: string) => [
    `Entregue-o só a ${who}, que você conhece.`,
    `Give it only to ${who}, whom you know.`,
    `Entréguelo solo a ${who}, a quien usted conoce.`,
  ],
  more: commonWords.moreActions,
  auditTitle: commonWords.auditLog,
  auditSearch: [
    'Assunto (user:…) ou ID do lojista',
    'Subject (user:…) or a merchant’s ID',
    'Asunto (user:…) o ID del comercio',
  ],
  onlyPerson: ['Só desta pessoa', 'Only this person', 'Solo de esta persona'],
  onlySubject: ['Só deste assunto', 'Only this subject', 'Solo de este asunto'],
  auditNone: ['Nenhum registro encontrado', 'No entry found', 'No se encontró ningún registro'],
  auditNoneLead: [
    'Mude a busca ou as datas.',
    'Change the search or the dates.',
    'Cambie la búsqueda o las fechas.',
  ],
  to: ['Até', 'To', 'Hasta'],
  at: commonWords.when,
  who: ['Quem', 'Who', 'Quién'],
  subject: ['Assunto', 'Subject', 'Asunto'],
})
