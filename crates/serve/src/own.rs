//! The names under which the server is known.
//!
//! A page of another site can make a browser send requests to loopback, and with a name that it lets point there
//! (*DNS rebinding*) even read the answers. The browser then says the name that it was given, as `Host`, and the site
//! that asks, as `Origin`. Both must be the server's own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::uri::Authority;

/// The port of a URL that names none.
const HTTP_PORT: u16 = 80;

/// Where the server listens, and so how it may be called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own(SocketAddr);

impl Own {
    pub(crate) fn new(address: SocketAddr) -> Own {
        Own(address)
    }

    /// Where a browser on this machine finds the server.
    pub(crate) fn url(self) -> String {
        let ip = match self.0.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        format!("http://{}", SocketAddr::new(ip, self.0.port()))
    }

    /// Whether a client that calls it so means this server.
    pub(crate) fn is_host(self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        // No user may be named before the host.
        if host.contains('@') || authority.port_u16().unwrap_or(HTTP_PORT) != self.0.port() {
            return false;
        }
        let name = authority.host();
        let own = self.0.ip();
        match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            // An address cannot be made to point elsewhere, so each of this machine will do.
            Ok(_) if own.is_unspecified() => true,
            Ok(ip) if own.is_loopback() => ip == own || LOOPBACK.contains(&ip),
            Ok(ip) => ip == own,
            Err(_) => {
                name.eq_ignore_ascii_case("localhost")
                    && (own.is_loopback() || own.is_unspecified())
            }
        }
    }

    /// Whether a page from there is the server's own.
    pub(crate) fn is_origin(self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }
}

const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

#[cfg(test)]
mod tests {
    use super::*;

    fn own(address: &str) -> Own {
        Own::new(address.parse().unwrap())
    }

    #[test]
    fn on_loopback_it_is_known_by_the_names_of_loopback() {
        let own = own("127.0.0.1:7411");
        for host in ["127.0.0.1:7411", "localhost:7411", "LocalHost:7411", "[::1]:7411"] {
            assert!(own.is_host(host), "{host}");
            assert!(own.is_origin(&format!("http://{host}")), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:7412",
            "127.0.0.1:7411:7411",
            "127.0.0.1:97411",
            "127.0.0.2:7411",
            "localhost",
            "localhost.:7411",
            "localhost.example:7411",
            "example.org:7411",
            "example.org@127.0.0.1:7411",
            "127.0.0.1:7411@example.org:7411",
            "192.168.1.4:7411",
            "",
            ":7411",
            "[::1",
            "[::2]:7411",
            "127.0.0.1:7411/",
            "127.0.0.1:7411 ",
        ] {
            assert!(!own.is_host(host), "{host}");
        }
        for origin in ["null", "", "127.0.0.1:7411", "https://127.0.0.1:7411", "http://a.example"] {
            assert!(!own.is_origin(origin), "{origin}");
        }
    }

    #[test]
    fn elsewhere_it_is_known_by_its_address() {
        let one = own("192.168.1.4:80");
        assert!(one.is_host("192.168.1.4") && one.is_host("192.168.1.4:80"));
        assert!(!one.is_host("192.168.1.5") && !one.is_host("localhost"));
        let all = own("0.0.0.0:7411");
        assert!(all.is_host("10.0.0.1:7411") && all.is_host("localhost:7411"));
        assert!(!all.is_host("rebound.example:7411"));
    }

    #[test]
    fn a_link_leads_to_it() {
        assert_eq!(own("127.0.0.1:7411").url(), "http://127.0.0.1:7411");
        assert_eq!(own("0.0.0.0:80").url(), "http://127.0.0.1:80");
        assert_eq!(own("[::]:7411").url(), "http://[::1]:7411");
        assert_eq!(own("[fe80::1]:7411").url(), "http://[fe80::1]:7411");
    }
}
