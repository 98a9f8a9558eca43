import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isAfter, previousOf, steps, type Step } from './flow'

/** What an entry of the browser's history holds: its step, and the step that led to it. */
type Entry = { step: Step; from: Step | undefined }

function readEntry(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null) return null
  const read = (name: string) => steps.find((step) => step === Reflect.get(state, name))
  const step = read('step')
  return step ? { step, from: read('from') } : null
}

/** The step that is shown: each is an entry of the browser's history. The entry that the page was opened with has
 *  none, so returning to it means leaving the page. */
export function useStep(furthest: Step) {
  const location = useLocation()
  const { key, search } = location
  const navigate = useNavigate()
  const [first] = useState({ key, step: furthest })
  const [moved, setMoved] = useState(false)
  if (key !== first.key && !moved) setMoved(true)
  const entry = readEntry(location.state)
  const wanted = entry?.step ?? (moved ? 'password' : first.step)
  // A reload loses the secrets: entries after them wait until they have been typed in again.
  const step = isAfter(wanted, furthest) ? furthest : wanted
  const editing = entry?.from === 'submit' && furthest === 'submit'

  // The next step is shown once its code is there; until then a second click on Next adds nothing.
  const onTheWay = useRef(false)
  useEffect(() => {
    onTheWay.current = false
  }, [key])

  function goTo(next: Step) {
    if (onTheWay.current) return
    onTheWay.current = true
    if (entry?.step !== step) void navigate({ search }, { state: { step }, replace: entry !== null })
    void navigate({ search }, { state: { step: next, from: step } })
  }

  return {
    step,
    moved,
    /** Opened by Edit: back and on both lead to Review. */
    editing,
    atStart: moved && entry === null,
    goTo,
    goBack() {
      if (editing || entry?.from === previousOf(step)) void navigate(-1)
      else goTo(previousOf(step))
    },
    goForward: () => void navigate(1),
    leave: () => void navigate('/'),
  }
}
