import { Component } from "react";
import type { ReactNode } from "react";
import { BrokenScreen } from "./BrokenScreen.tsx";

/** Catches an error that no screen caught. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { caught?: { error: unknown } }> {
  override state: { caught?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  override render() {
    const { caught } = this.state;
    return caught ? (
      <main className="app-waiting">
        <BrokenScreen error={caught.error} />
      </main>
    ) : (
      this.props.children
    );
  }
}
