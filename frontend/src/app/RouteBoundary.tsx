import { Component, type ReactNode } from 'react'
import { CrashNotice } from './CrashNotice'

type Props = { children: ReactNode }
type State = { error: unknown; failed: boolean }

/** A crash stays inside the page it happened in. */
export class RouteBoundary extends Component<Props, State> {
  override state: State = { error: null, failed: false }

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true }
  }

  override render() {
    return this.state.failed ? <CrashNotice error={this.state.error} /> : this.props.children
  }
}
