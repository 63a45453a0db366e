import { dictionary } from './dictionary.ts'

/** Second factors: at the sign-in, and before what moves money. */
export const factorWords = dictionary({
  stepUp: ['Confirme que é você', 'Confirm that it is you', 'Confirme que es usted'],
  stepUpLead: [
    'Isto exige um segundo fator dos últimos 5 minutos. Depois, o que você solicitou continua.',
    'This needs a second factor from the last 5 minutes. What you requested continues afterwards.',
    'Esto requiere un segundo factor de los últimos 5 minutos. Después, lo que solicitó continúa.',
  ],
  none: [
    'Você ainda não tem segundo fator',
    'You have no second factor yet',
    'Usted aún no tiene un segundo factor',
  ],
  noneLead: [
    'Sem ele, nada que move dinheiro pode ser feito. Adicione um aplicativo autenticador ou uma chave de acesso e tente de novo.',
    'Without one, nothing that moves money can be done. Add an authenticator app or a passkey, and try again.',
    'Sin él no se puede hacer nada que mueva dinero. Agregue una aplicación de autenticación o una llave de acceso e inténtelo de nuevo.',
  ],
  add: ['Adicionar em Segurança', 'Add one in Security', 'Agregar en Seguridad'],
  code: ['Código do aplicativo', 'Code from the app', 'Código de la aplicación'],
  codeHelp: [
    'Seis números, que mudam a cada 30 segundos.',
    'Six digits, which change every 30 seconds.',
    'Seis números, que cambian cada 30 segundos.',
  ],
  recovery: ['Código de recuperação', 'Recovery code', 'Código de recuperación'],
  recoveryHelp: [
    'Um dos que você guardou. Cada um vale uma vez.',
    'One of those that you stored. Each works once.',
    'Uno de los que guardó. Cada uno vale una vez.',
  ],
  confirm: ['Confirmar', 'Confirm', 'Confirmar'],
  usePasskey: ['Usar chave de acesso', 'Use a passkey', 'Usar llave de acceso'],
  useRecovery: ['Usar um código de recuperação', 'Use a recovery code', 'Usar un código de recuperación'],
  useTotp: ['Usar o código do aplicativo', 'Use the code from the app', 'Usar el código de la aplicación'],
  wrong: [
    'O código não confere. Confira o relógio do aparelho e tente o próximo.',
    'The code does not match. Check your device’s clock and try the next one.',
    'El código no coincide. Revise el reloj del dispositivo e intente con el siguiente.',
  ],
  canceled: [
    'A chave de acesso não respondeu. Tente de novo ou use outra opção.',
    'The passkey did not respond. Try again or use another option.',
    'La llave de acceso no respondió. Inténtelo de nuevo o use otra opción.',
  ],
})
