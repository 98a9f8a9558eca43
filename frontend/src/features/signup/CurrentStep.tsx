import { lazy, useEffect, type ComponentType } from 'react'
import { nextOf, type Step } from './flow'
import { PasswordStep } from './steps/PasswordStep'
import type { StepProps } from './use-signup'

type Page = { default: ComponentType<StepProps> }

const loaders: Record<Exclude<Step, 'password'>, () => Promise<Page>> = {
  company: () => import('./steps/CompanyStep'),
  leader: () => import('./steps/LeaderStep'),
  passphrase: () => import('./steps/PassphraseStep'),
  payment: () => import('./steps/PaymentStep'),
  plan: () => import('./steps/PlanStep'),
  submit: () => import('./steps/ReviewStep'),
}

const pages: Record<Step, ComponentType<StepProps>> = {
  password: PasswordStep,
  company: lazy(loaders.company),
  leader: lazy(loaders.leader),
  passphrase: lazy(loaders.passphrase),
  payment: lazy(loaders.payment),
  plan: lazy(loaders.plan),
  submit: lazy(loaders.submit),
}

/** One step at a time; the next one is fetched while this one is being filled in. */
export function CurrentStep({ signup }: StepProps) {
  const { step } = signup
  const Page = pages[step]
  useEffect(() => {
    const next = nextOf(step)
    if (next !== 'password') loaders[next]().catch(() => undefined)
  }, [step])
  return <Page signup={signup} />
}
