import { fireEvent, screen } from '@testing-library/react'
import { useLocation, useNavigate } from 'react-router'
import { vi } from 'vitest'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { renderWithProviders } from '@/testing/render'
import { codeSent, ok, serve } from '@/testing/server'
import { newDraft, type Draft } from '../draft'
import SignupPage from '../SignupPage'
import { noSecrets, type Beginning, type Secrets } from '../use-signup'

export const goodPassword = 'nine tiles of a mosaic'
export const goodPassphrase = 'three clouds, one mosaic'

export const company: Draft['company'] = {
  name: 'Acme',
  email: 'office@acme.test',
  country: 'US',
  number: '(202) 555-0150',
  addressLine1: '1 Main Street',
  addressLine2: '',
  city: '',
  state: 'NY',
  zip: '10001',
}

export const person: Draft['person'] = {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@acme.test',
  country: 'US',
  number: '(202) 555-0151',
}

export const phone = '+12025550151'

export const secrets: Secrets = {
  password: goodPassword,
  confirmation: goodPassword,
  passphrase: { passphrase: goodPassphrase, again: goodPassphrase, understood: true },
  card: 'pm_card',
}

type Handlers = Parameters<typeof serve>[0]

const answers: Handlers = {
  'GET /api/auth/signup-otp': () => codeSent(),
  'POST /api/auth/verify-signup-otp': () => ok({ phoneNumber: phone }),
  'POST /api/auth/verify-email': () => ok(),
  'POST /api/auth/verify-registration-password': () => ok({ ticket: 'ticket-2', expiresIn: 3600 }),
  'GET /api/config': () => ok({ mode: 'sandbox', chatUrl: null, cardOrigin: 'http://cards.test', version: '1' }),
  'POST /api/payment/setup-intent': () => ok({ id: 'seti_1', clientSecret: 's', publishableKey: 'pk' }),
}

/** The page between the browser's own buttons; any other address shows nothing but itself. */
function Browser({ begin }: { begin: () => Beginning }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (
    <>
      <button onClick={() => void navigate(-1)}>Browser back</button>
      <button onClick={() => void navigate(1)}>Browser forward</button>
      {pathname === '/signup' ? <SignupPage begin={begin} /> : <h1>{pathname}</h1>}
    </>
  )
}

/** The page as it is after everything before `step` has been filled in. */
export function openSignup(step: Draft['step'], change: Partial<Draft> = {}, handlers: Handlers = {}, kept = secrets) {
  vi.stubGlobal('Worker', QuickWorker)
  const server = serve({ ...answers, ...handlers })
  const draft = { ...newDraft(), step, ticket: 'ticket-1', company, person, ...change }
  const secretsNow = ['password', 'company', 'leader'].includes(step) ? { ...noSecrets, ...kept } : kept
  const begin = () => ({ draft, lostSecrets: false, secrets: secretsNow })
  renderWithProviders(<Browser begin={begin} />, { path: '/signup', withToasts: true })
  return server
}

export function fill(label: string, value: string) {
  const field = screen.getByLabelText(label)
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name })
export const title = (name: string) => screen.findByRole('heading', { level: 1, name })

export function press(name: string | RegExp) {
  fireEvent.click(button(name))
}
