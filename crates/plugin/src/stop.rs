//! The request to stop the server, which any part can make.

use tokio::sync::watch;

/// A request to stop. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Stop {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    pub(crate) fn request(&self) {
        self.0.send_replace(true);
    }

    /// Waits for the request.
    pub(crate) async fn requested(&self) {
        // The sender is in `self`, so that the channel is not closed.
        let _ = self.0.subscribe().wait_for(|stop| *stop).await;
    }
}
