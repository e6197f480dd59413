import { Component } from "react";
import type { ReactNode } from "react";
import { BrokenScreen } from "./BrokenScreen.tsx";

/** The last resort: an error that no screen caught. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? (
      <main className="app-waiting">
        <BrokenScreen />
      </main>
    ) : (
      this.props.children
    );
  }
}
