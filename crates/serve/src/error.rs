//! Why there is no server.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Somebody else listens there.
    #[error("port {} of {} is in use", .0.port(), .0.ip())]
    PortInUse(SocketAddr),
    /// The system does not let this user listen there.
    #[error("this user may not listen on port {} of {}", .0.port(), .0.ip())]
    PortForbidden(SocketAddr),
    /// The address is not one of this machine.
    #[error("{0} is not an address of this machine")]
    NotOwnAddress(IpAddr),
    /// Anything else that keeps from listening.
    #[error("cannot listen on {address}: {error}")]
    CannotListen {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// A model cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// Its file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The system gives no random numbers, of which the token is made.
    #[error("the system gives no random numbers: {0}")]
    NoRandomness(getrandom::Error),
    /// The system gives no threads.
    #[error("cannot start the threads of the server: {0}")]
    NoThreads(io::Error),
}

impl ServeError {
    /// Why an address cannot be listened on.
    pub(crate) fn listening(address: SocketAddr, error: io::Error) -> ServeError {
        match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortInUse(address),
            io::ErrorKind::PermissionDenied => ServeError::PortForbidden(address),
            io::ErrorKind::AddrNotAvailable => ServeError::NotOwnAddress(address.ip()),
            _ => ServeError::CannotListen { address, error },
        }
    }
}
