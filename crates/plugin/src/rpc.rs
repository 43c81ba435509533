//! gRPC calls with one message, or with streams of messages.

use std::future::{Future, ready};
use std::pin::Pin;

use hyper::body::Incoming;
use prost::Message;
use tokio_stream::Stream;
use tonic::body::Body;
use tonic::server::{Grpc, ServerStreamingService, UnaryService};
use tonic::{Code, Request, Response, Status};
use tonic_prost::ProstCodec;

/// The largest message. Terraform accepts messages of this size.
const LARGEST: usize = 256 << 20;

type Messages<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

pub(crate) fn unimplemented(path: &str) -> hyper::Response<Body> {
    Status::new(Code::Unimplemented, format!("{path} is not supported")).into_http()
}

/// Answers a call that has one request message and one response message.
pub(crate) async fn unary<Q, A, F>(
    request: hyper::Request<Incoming>,
    call: impl Fn(Q) -> F + Send,
) -> hyper::Response<Body>
where
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
    F: Future<Output = Result<A, Status>> + Send + 'static,
{
    struct Call<C>(C);
    impl<C, Q, A, F> UnaryService<Q> for Call<C>
    where
        C: Fn(Q) -> F,
        F: Future<Output = Result<A, Status>> + Send + 'static,
    {
        type Response = A;
        type Future = Pin<Box<dyn Future<Output = Result<Response<A>, Status>> + Send>>;

        fn call(&mut self, request: Request<Q>) -> Self::Future {
            let answer = (self.0)(request.into_inner());
            Box::pin(async move { answer.await.map(Response::new) })
        }
    }
    grpc::<A, Q>().unary(Call(call), request).await
}

/// Answers a call with a stream of messages.
pub(crate) async fn stream<Q, A, S>(
    request: hyper::Request<Incoming>,
    call: impl Fn(Q) -> Result<S, Status> + Send,
) -> hyper::Response<Body>
where
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
    S: Stream<Item = Result<A, Status>> + Send + 'static,
{
    struct Call<C>(C);
    impl<C, Q, A, S> ServerStreamingService<Q> for Call<C>
    where
        C: Fn(Q) -> Result<S, Status>,
        S: Stream<Item = Result<A, Status>> + Send + 'static,
    {
        type Response = A;
        type ResponseStream = Messages<A>;
        type Future = std::future::Ready<Result<Response<Messages<A>>, Status>>;

        fn call(&mut self, request: Request<Q>) -> Self::Future {
            ready((self.0)(request.into_inner()).map(|stream| Response::new(Box::pin(stream) as Messages<A>)))
        }
    }
    grpc::<A, Q>().server_streaming(Call(call), request).await
}

pub(crate) fn grpc<A, Q>() -> Grpc<ProstCodec<A, Q>>
where
    A: Message + Default + 'static,
    Q: Message + Default + 'static,
{
    Grpc::new(ProstCodec::default()).max_decoding_message_size(LARGEST).max_encoding_message_size(LARGEST)
}
