import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** Sign-in, invitations and resets. */
export const signInWords = dictionary({
  title: ['Entrar', 'Sign in', 'Entrar'],
  lead: ['Painel de pagamentos', 'Payments dashboard', 'Panel de pagos'],
  password: ['Senha', 'Password', 'Contraseña'],
  enter: ['Entrar', 'Sign in', 'Entrar'],
  or: ['ou', 'or', 'o'],
  passkey: ['Entrar com chave de acesso', 'Sign in with a passkey', 'Entrar con llave de acceso'],
  second: commonWords.secondFactor,
  secondLead: [
    'A senha está correta. Falta confirmar que é você.',
    'The password is correct. Now confirm that it is you.',
    'La contraseña es correcta. Falta confirmar que es usted.',
  ],
  back: ['Voltar ao início', 'Back to the start', 'Volver al inicio'],
  wrong: [
    'E-mail ou senha incorretos. Confira os dois e tente de novo.',
    'The email or password is incorrect. Check both and try again.',
    'El correo o la contraseña no son correctos. Revise ambos e inténtelo de nuevo.',
  ],
  passkeyCanceled: [
    'A chave de acesso não respondeu, ou não é deste painel. Tente de novo ou use a senha.',
    'The passkey did not respond, or is not for this dashboard. Try again or use your password.',
    'La llave de acceso no respondió, o no es de este panel. Inténtelo de nuevo o use la contraseña.',
  ],
  opening: ['Abrindo o link de acesso…', 'Opening the sign-in link…', 'Abriendo el enlace de acceso…'],
  linkUsed: [
    'Este link já foi usado ou venceu',
    'This link was already used, or has expired',
    'Este enlace ya se usó o venció',
  ],
  linkUsedLead: [
    'Cada link de acesso abre uma vez. Entre com sua senha ou chave de acesso, ou gere um novo link no terminal em que o servidor roda.',
    'Each sign-in link opens once. Sign in with your password or passkey, or make a new link in the terminal where the server runs.',
    'Cada enlace de acceso se abre una vez. Entre con su contraseña o llave de acceso, o genere otro enlace en la terminal donde corre el servidor.',
  ],
  sandboxLink: [
    'É o seu sandbox? Este comando, na pasta dele, mostra um link para escolher uma senha:',
    'Is it your sandbox? This command, in its folder, prints a link to choose a password:',
    '¿Es su sandbox? Este comando, en su carpeta, muestra un enlace para elegir una contraseña:',
  ],
  command: ['Comando', 'Command', 'Comando'],
  forgotLink: ['Esqueci a senha', 'Forgot the password?', 'Olvidé la contraseña'],
  forgotEmail: ['Seu e-mail', 'Your email', 'Su correo electrónico'],
  sendLink: ['Enviar link', 'Send a link', 'Enviar enlace'],
  linkSent: [
    'Se houver uma conta com este e-mail, um link para criar outra senha chega em instantes. Ele vale por uma hora.',
    'If an account has this email, a link to set another password arrives in a moment. It is valid for one hour.',
    'Si una cuenta tiene este correo, en un momento llega un enlace para crear otra contraseña. Vale una hora.',
  ],
  joinLead: (email: string, merchant: string) => [
    `${email} já tem uma conta. Aceite para trabalhar com ${merchant}; depois entre como sempre.`,
    `${email} has an account already. Accept to work with ${merchant}; then sign in as always.`,
    `${email} ya tiene una cuenta. Acepte para trabajar con ${merchant}; después entre como siempre.`,
  ],
  join: ['Aceitar convite', 'Accept the invitation', 'Aceptar la invitación'],
  forgot: [
    'Esqueceu a senha? Peça a um administrador da conta um link para criar outra.',
    'Forgot the password? Ask an administrator of the account for a link to set another.',
    '¿Olvidó la contraseña? Pida a un administrador de la cuenta un enlace para crear otra.',
  ],
  invitation: ['Aceitar convite', 'Accept the invitation', 'Aceptar la invitación'],
  invitationLead: (email: string, merchant: string) => [
    `${email} foi convidado para ${merchant}. Escolha uma senha para entrar.`,
    `${email} was invited to ${merchant}. Choose a password to sign in with.`,
    `${email} fue invitado a ${merchant}. Elija una contraseña para entrar.`,
  ],
  reset: ['Criar outra senha', 'Set another password', 'Crear otra contraseña'],
  resetLead: (email: string) => [
    `Para a conta de ${email}.`,
    `For the account of ${email}.`,
    `Para la cuenta de ${email}.`,
  ],
  name: ['Seu nome', 'Your name', 'Su nombre'],
  newPassword: ['Nova senha', 'New password', 'Contraseña nueva'],
  passwordHelp: [
    'Pelo menos 12 caracteres. Uma frase serve bem.',
    'At least 12 characters. A sentence works well.',
    'Al menos 12 caracteres. Una frase sirve bien.',
  ],
  accept: ['Aceitar e entrar', 'Accept and sign in', 'Aceptar y entrar'],
  save: ['Salvar e entrar', 'Save and sign in', 'Guardar y entrar'],
  openUsed: ['Este link não vale mais', 'This link is no longer valid', 'Este enlace ya no vale'],
  openUsedLead: [
    'Ele já foi usado ou venceu. Peça outro a quem o enviou.',
    'It was already used, or has expired. Ask its sender for another.',
    'Ya se usó o venció. Pida otro a quien lo envió.',
  ],
  toSignIn: ['Ir para o acesso', 'Go to sign-in', 'Ir al acceso'],
  accepted: [
    'Pronto. Agora entre com sua senha.',
    'Done. Now sign in with your password.',
    'Listo. Ahora entre con su contraseña.',
  ],
})
